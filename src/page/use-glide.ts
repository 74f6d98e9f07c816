/** Rows glide from where they were to where they are, unless the reader wants less motion. */
import type { RefObject } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

const timing = { duration: 280, easing: 'cubic-bezier(0.2, 0, 0, 1)' }

/** @param order changes when rows change places. Rows have `data-docid`. */
export function useGlide(box: RefObject<HTMLElement | null>, order: string): void {
  const tops = useRef<ReadonlyMap<string, number>>(new Map())
  useLayoutEffect(() => {
    const rows = [...box.current!.querySelectorAll<HTMLElement>('[data-docid]')]
    const before = tops.current
    tops.current = new Map(rows.map((row) => [row.dataset.docid!, row.offsetTop]))
    if (before.size === 0 || matchMedia('(prefers-reduced-motion: reduce)').matches) return
    for (const row of rows) {
      const was = before.get(row.dataset.docid!)
      if (was === undefined) row.animate([{ opacity: 0 }, { opacity: 1 }], timing)
      else if (was !== row.offsetTop)
        row.animate([{ transform: `translateY(${was - row.offsetTop}px)` }, { transform: 'none' }], timing)
    }
  }, [order])
}
