'use strict'

// Completion for shells: `source <(qbson completion bash)`.

const { OK, UsageError } = require('../terminal/messages')

/** @type {import('./index').Command} */
const completion = {
  args: 'bash|zsh|fish',
  about: 'print the completion script of a shell',
  examples: [
    'source <(qbson completion bash)',
    'qbson completion fish > ~/.config/fish/completions/qbson.fish'
  ],
  options: {},
  groups: [],
  readsNoFile: true,

  async *run({ files: [shell, ...others], commands }) {
    if (!Object.hasOwn(SHELLS, shell) || others.length > 0) throw new UsageError('completion needs a shell: bash, zsh or fish')
    yield SHELLS[shell](commands())
    return OK
  }
}

/** @type {Record<string, (commands: ReturnType<import('./index').Context['commands']>) => string>} */
const SHELLS = {
  bash: commands => `_qbson() {
  local word=\${COMP_WORDS[COMP_CWORD]} command=print
  [[ " ${commands.map(({ name }) => name).join(' ')} " == *" \${COMP_WORDS[1]} "* ]] && command=\${COMP_WORDS[1]}
  if [[ $word == -* ]]; then
    case $command in
${commands.map(({ name, options }) => {
    const words = Object.keys(options).map(option => `--${option}`).join(' ')
    return `      ${name}) COMPREPLY=($(compgen -W '${words}' -- "$word")) ;;`
  }).join('\n')}
    esac
  elif [[ $COMP_CWORD == 1 ]]; then
    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')}' -- "$word") $(compgen -f -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -o filenames -F _qbson qbson
`,

  zsh: commands => `#compdef qbson
_qbson() {
  local -a commands
  commands=(${commands.map(({ name, about }) => quoted(`${name}:${about}`)).join(' ')})
  local command=\${words[2]}
  case $command in
${commands.map(({ name, options }) => `    ${name}) _arguments ${zshOptions(options)} '*:file:_files' ;;`).join('\n')}
    *)
      (( CURRENT == 2 )) && _describe command commands
      _arguments ${zshOptions(commands[0].options)} '*:file:_files' ;;
  esac
}
compdef _qbson qbson
`,

  fish: commands => commands.map(({ name, about, options }) => {
    const first = `complete -c qbson -n __fish_use_subcommand -a ${name} -d ${quoted(about)}\n`
    return first + Object.entries(options).map(([option, { short, value, help }]) => {
      const takes = value === undefined ? '' : ' -r'
      return `complete -c qbson -n '__fish_seen_subcommand_from ${name}' -l ${option}${short === undefined ? '' : ` -s ${short}`}${takes} -d ${quoted(help)}\n`
    }).join('')
  }).join('')
}

function zshOptions(options) {
  return Object.entries(options).map(([name, { value, help }]) => {
    return quoted(`--${name}[${help.replace(/[[\]:]/g, ' ')}]${value === undefined ? '' : ':value:_files'}`)
  }).join(' ')
}

/** For all three shells. @param {string} text */
function quoted(text) {
  return `'${text.replaceAll("'", ' ')}'`
}

module.exports = { completion }
