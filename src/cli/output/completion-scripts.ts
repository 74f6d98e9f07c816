/** Scripts that complete `querent` in a shell: commands, then the flags of the command. Everything else is completed as a file. */

export interface CompletedCommand {
  readonly name: string
  readonly summary: string
  readonly flags: readonly CompletedFlag[]
}

export interface CompletedFlag {
  /** Such as `--policy` or `-k`. */
  readonly flag: string
  readonly description: string
  readonly hasValue: boolean
}

const flagsOf = ({ flags }: CompletedCommand): string => flags.map(({ flag }) => flag).join(' ')

/** For bash. */
export function bashCompletion(commands: readonly CompletedCommand[]): string {
  return `# Completes querent in bash. In ~/.bashrc: source <(querent completion bash)
${wordsFunction(commands)}
complete -o default -F _querent querent
`
}

/** For zsh, as a file \`_querent\` in its \`fpath\`. It runs the function for bash. */
export function zshCompletion(commands: readonly CompletedCommand[]): string {
  return `#compdef querent
# Completes querent in zsh. Save it as _querent in a folder of your fpath, or in ~/.zshrc: source <(querent completion zsh)
autoload -U +X bashcompinit && bashcompinit
${wordsFunction(commands)}
complete -o default -F _querent querent
`
}

function wordsFunction(commands: readonly CompletedCommand[]): string {
  const cases = commands.map((command) => `    ${command.name}) words="${flagsOf(command)}" ;;`)
  return `_querent() {
  local typed="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${commands.map(({ name }) => name).join(' ')} --help --version"
    COMPREPLY=($(compgen -W "$words" -- "$typed"))
    return
  fi
  COMPREPLY=()
  case "$typed" in -*) ;; *) return ;; esac
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$typed"))
}`
}

/** For fish, with the help of each command and flag. */
export function fishCompletion(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, summary, flags }) => [
    `complete -c querent -f -n __fish_use_subcommand -a ${name} -d ${quoted(summary)}`,
    ...flags.map(
      ({ flag, description, hasValue }) =>
        `complete -c querent -n '__fish_seen_subcommand_from ${name}' ${fishFlag(flag)}${hasValue ? ' -r' : ''} -d ${quoted(description)}`,
    ),
  ])
  return [
    '# Completes querent in fish. Save it as ~/.config/fish/completions/querent.fish',
    ...lines,
    '',
  ].join('\n')
}

const fishFlag = (flag: string): string =>
  flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`
