/** `querent completion <shell>`: commands, then the flags of the command. Everything else is completed as a file. */
import { QuerentError } from '../../errors.ts'
import { print } from '../output/terminal.ts'
import { type CommandEntry, commonFlags, type Run } from '../settings/command.ts'
import { flagsOf, settingsIn } from '../settings/setting.ts'

type Flag = Readonly<Record<'flag' | 'argument' | 'description', string>>
interface Completed extends Pick<CommandEntry, 'name' | 'summary'> {
  readonly flags: readonly Flag[]
}

const help: Flag = { flag: '--help', argument: '', description: 'print this help' }

/** zsh runs the function for bash. */
const scripts = {
  bash: bashAfter('# Completes querent in bash. In ~/.bashrc: source <(querent completion bash)'),
  zsh: bashAfter(`#compdef querent
# Completes querent in zsh. Save it as _querent in a folder of your fpath, or in ~/.zshrc: source <(querent completion zsh)
autoload -U +X bashcompinit && bashcompinit`),
  fish,
}

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
      all.push({
        name,
        summary,
        flags: [...own.flatMap(([key, one]) => flagsOf(key, one)), ...commonFlags, help],
      })
    }
    print(terminal, scripts[shell as keyof typeof scripts](all))
  }

function bashAfter(head: string): (commands: readonly Completed[]) => string {
  return (commands) => `${head}
_querent() {
  local typed="\${COMP_WORDS[COMP_CWORD]}" words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${commands.map(({ name }) => name).join(' ')} --help --version"
  else
    case "$typed" in -*) ;; *) return ;; esac
    case "\${COMP_WORDS[1]}" in
${commands.map(({ name, flags }) => `      ${name}) words="${flags.map(({ flag }) => flag).join(' ')}" ;;`).join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$typed"))
}
complete -o default -F _querent querent`
}

/** With the help of each command and flag. */
function fish(commands: readonly Completed[]): string {
  const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`
  const named = (flag: string): string => flag.replace(/^--/, '-l ').replace(/^-(?=\w$)/, '-s ')
  const lines = commands.flatMap(({ name, summary, flags }) => [
    `complete -c querent -f -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ...flags.map(({ flag, argument, description }) => {
      const value = argument === '' ? '' : ' -r'
      return `complete -c querent -n '__fish_seen_subcommand_from ${name}' ${named(flag)}${value} -d ${quoted(description)}`
    }),
  ])
  return ['# Completes querent in fish. Save it as ~/.config/fish/completions/querent.fish', ...lines].join(
    '\n',
  )
}
