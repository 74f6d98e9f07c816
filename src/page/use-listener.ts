/** What the page hears while a component is in it. Listeners see the component as it was rendered last. */
import { useEffect } from 'preact/hooks'

export function useListener<Type extends keyof WindowEventMap>(
  type: Type,
  listen: (event: WindowEventMap[Type]) => void,
): void {
  useEffect(() => {
    addEventListener(type, listen)
    return () => removeEventListener(type, listen)
  })
}

/** A key that does something wherever the reader is, except where something is typed. */
export const useKey = (isMeant: (event: KeyboardEvent) => boolean, act: () => void): void =>
  useListener('keydown', (event) => {
    if (!isMeant(event) || (event.target as Element).matches('input, textarea, select')) return
    event.preventDefault()
    act()
  })
