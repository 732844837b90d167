import type { CompletedCommand } from './completionText.ts';

/**
 * The completion script of each shell. It derives completions from the words typed so far, without running a program.
 */
export const shells = { bash, zsh, fish } as const;

/** Joins words that need no quoting in any shell. */
function plain(words: readonly string[]): string {
  return words.join(' ');
}

function bash(commands: readonly CompletedCommand[]): string {
  const values = commands.flatMap(({ path, flags }) =>
    flags
      .filter(({ takesValue }) => takesValue)
      .map(({ flag, values }) => `    '${path} ${flag}') words='${plain(values)}' ;;`),
  );
  const words = commands.map(({ path, commands: names, flags }) => {
    const all = plain([...names, ...flags.map(({ flag }) => flag)]);
    return `      '${path}') words='${all}' ;;`;
  });
  return `# bash completion for tutti: source it, or put it where bash-completion finds it
_tutti() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" path='' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
${paths(commands)}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path $before" in
${values.join('\n')}
    *) case "$path" in
${words.join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _tutti tutti
`;
}

/** Returns the patterns of all command paths. */
function paths(commands: readonly CompletedCommand[]): string {
  return `      ${commands
    .filter(({ path }) => path !== '')
    .map(({ path }) => `'${path}'`)
    .join('|')}`;
}

function zsh(commands: readonly CompletedCommand[]): string {
  return `#compdef tutti
# zsh completion for tutti, by that for bash
autoload -U +X bashcompinit && bashcompinit
${bash(commands)}`;
}

function fish(commands: readonly CompletedCommand[]): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = commands.flatMap(({ path, commands: names, flags }) => {
    const here = `-n "test (__tutti_path) = '${path}'"`;
    return [
      ...names.map((name) => {
        const about = commands.find((one) => one.path === `${path} ${name}`.trim())?.about ?? '';
        return `complete -c tutti -f ${here} -a ${name} -d ${quoted(about)}`;
      }),
      ...flags.map(({ flag, about, takesValue, values }) => {
        const value = values.length > 0 ? ` -x -a ${quoted(plain(values))}` : takesValue ? ' -r' : ' -f';
        return `complete -c tutti ${here} -l ${flag.replace(/^-+/, '')}${value} -d ${quoted(about)}`;
      }),
    ];
  });
  const known = commands.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  return `# fish completion for tutti
function __tutti_path
  set -l path ''
  for word in (commandline -opc)[2..]
    set -l longer (string trim -- "$path $word")
    contains -- $longer ${known.join(' ')}; and set path $longer
  end
  echo $path
end
${lines.join('\n')}
`;
}
