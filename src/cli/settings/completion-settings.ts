/** Settings of `querent completion`: it has none of its own. */
import type { CommandSettings, ValuesOf } from './setting.ts'

const groups = {}

export type CompletionSettings = ValuesOf<typeof groups>

export const completionSettings = {
  groups,
  examples: [
    ['querent completion bash > ~/.querent-completion', 'then `source ~/.querent-completion` in ~/.bashrc'],
    ['querent completion zsh > ~/.zfunc/_querent', 'for zsh, with ~/.zfunc in its fpath'],
    ['querent completion fish > ~/.config/fish/completions/querent.fish', 'for fish'],
  ],
} satisfies CommandSettings
