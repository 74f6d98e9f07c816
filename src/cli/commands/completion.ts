/** `querent completion <shell>`: commands, then the flags of the command. Everything else is completed as a file. */
import { QuerentError } from '../../errors.ts'
import { print } from '../output/terminal.ts'
import type { CommandEntry, Run } from '../settings/command.ts'
import { flagsOf, settingsIn } from '../settings/setting.ts'

interface Completed extends Pick<CommandEntry, 'name' | 'summary'> {
  readonly flags: readonly {
    readonly flag: string
    readonly argument: string
    readonly description: string
  }[]
}

/** Flags of every command. */
const common: Completed['flags'] = [
  { flag: '--set', argument: '<key=value>', description: 'a setting that is no flag' },
  { flag: '--config', argument: '<file>', description: 'read settings from a JSON file' },
  { flag: '--no-config', argument: '', description: 'do not read ./querent.json' },
  { flag: '--help', argument: '', description: 'print this help' },
]

const bashHead = '# Completes querent in bash. In ~/.bashrc: source <(querent completion bash)'
const zshHead = `#compdef querent
# Completes querent in zsh. Save it as _querent in a folder of your fpath, or in ~/.zshrc: source <(querent completion zsh)
autoload -U +X bashcompinit && bashcompinit`

/** zsh runs the function for bash. */
const scripts = { bash: wordsAfter(bashHead), zsh: wordsAfter(zshHead), fish }

export const completionOf =
  (commands: readonly CommandEntry[]): Run<object> =>
  async ([shell = ''], _, terminal) => {
    if (!Object.hasOwn(scripts, shell))
      throw new QuerentError('bad-config', `There is no completion for ${JSON.stringify(shell)}`, {
        remedy: `The shells are ${Object.keys(scripts).join(', ')}.`,
      })
    const all: Completed[] = []
    for (const { name, summary, settings } of commands) {
      const own = Object.entries(settingsIn((await settings()).groups))
      all.push({ name, summary, flags: [...own.flatMap(([key, one]) => flagsOf(key, one)), ...common] })
    }
    print(terminal, scripts[shell as keyof typeof scripts](all))
  }

function wordsAfter(head: string): (commands: readonly Completed[]) => string {
  return (commands) => `${head}
_querent() {
  local typed="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${commands.map(({ name }) => name).join(' ')} --help --version"
    COMPREPLY=($(compgen -W "$words" -- "$typed"))
    return
  fi
  COMPREPLY=()
  case "$typed" in -*) ;; *) return ;; esac
  case "\${COMP_WORDS[1]}" in
${commands.map(({ name, flags }) => `    ${name}) words="${flags.map(({ flag }) => flag).join(' ')}" ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$typed"))
}
complete -o default -F _querent querent`
}

/** With the help of each command and flag. */
function fish(commands: readonly Completed[]): string {
  const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`
  const named = (flag: string): string =>
    flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`
  const lines = commands.flatMap(({ name, summary, flags }) => [
    `complete -c querent -f -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ...flags.map(
      ({ flag, argument, description }) =>
        `complete -c querent -n '__fish_seen_subcommand_from ${name}' ${named(flag)}${argument === '' ? '' : ' -r'} -d ${quoted(description)}`,
    ),
  ])
  const head = '# Completes querent in fish. Save it as ~/.config/fish/completions/querent.fish'
  return [head, ...lines].join('\n')
}
