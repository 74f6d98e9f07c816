import type { GuardOptions } from '../../../adapters/apps/http/guard.ts'
import { inspectPath } from '../../../adapters/apps/proxy/inspect.ts'
import { createProxy } from '../../../adapters/apps/proxy/proxy.ts'
import type { SignOptions } from '../../../adapters/apps/proxy/sign.ts'
import { QuerentError } from '../../errors.ts'
import { defaultThreads } from '../../runtime/threads.ts'
import { openCache } from '../open/cache.ts'
import { openKillSwitch } from '../open/kill-switch.ts'
import { prepareOptimizing } from '../open/optimizing.ts'
import { inProcesses, openRegistry, pageGuard, searchLog, serveUntilInterrupted } from '../open/serving.ts'
import type { Terminal } from '../output/terminal.ts'
import type { Run } from '../settings/command.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { refuse, required } from '../settings/setting.ts'
import { variantOf } from '../settings/variants.ts'

const defaultPort = 9292

/** `querent proxy --target <url>` */
export const run: Run<SettingsOf<'proxy'>> = async (_, settings, terminal) => {
  const { processes = 1, workers = Math.ceil(defaultThreads() / processes) } = settings
  if (processes > 1 && settings.inspect === true)
    throw new QuerentError('bad-config', '--inspect shows the searches of one process', {
      remedy: 'Leave out --processes or --inspect.',
    })
  await inProcesses(settings, terminal, () => serve({ ...settings, workers, breaker: true }, terminal))
}

async function serve(
  settings: SettingsOf<'proxy'> & { readonly breaker: boolean },
  terminal: Terminal,
): Promise<void> {
  const sign = signOf(settings, terminal)
  const inspect = settings.inspect === true && guardOf(settings, terminal)
  const target = required(settings, 'target')
  const optimizing = await prepareOptimizing(variantOf(settings), settings, terminal)
  const { cache, close } = await openCache(optimizing.chat === undefined ? {} : settings, terminal)
  const { explain, hosts, cors, maxRequests: most, grace, headersTimeout, idleTimeout } = settings
  const off = openKillSwitch(settings, terminal)
  const proxy = await createProxy({
    ...optimizing,
    ...rolloutOf(settings),
    isOff: off.isOff,
    ...{ target, sign, cache, explain, inspect, hosts, cors, most, grace, headersTimeout, idleTimeout },
    metrics: settings.metrics === true && openRegistry(terminal),
    observe: searchLog(settings, terminal),
  })
  try {
    const url = await proxy.listen(settings.port ?? defaultPort, settings.host)
    const lines = [
      `Listening on ${url}, in front of ${target}. Stop with Ctrl-C.`,
      ...(inspect ? [`To look at searches in a browser, open ${url}${inspectPath}`] : []),
    ]
    await serveUntilInterrupted(proxy, lines, settings, terminal)
  } finally {
    off.close()
    await close()
  }
}

/** @throws QuerentError `bad-config` for a setting without the one that it belongs to */
function rolloutOf(settings: SettingsOf<'proxy'>) {
  const { share, shareBy: by, shadow, shadowLog: log, shadowWords: words, interleave } = settings
  refuse(by !== undefined && share === undefined, 'shareBy needs --share', 'Add --share, such as 10%.')
  refuse((log ?? words) !== undefined && shadow !== true, 'The log needs --shadow', 'Add --shadow.')
  const isForNobody = interleave !== undefined && shadow === true && share === undefined
  refuse(isForNobody, '--interleave beside --shadow needs --share', 'Add --share, such as 20%.')
  return {
    interleave,
    ...(share !== undefined && { share: { share, by } }),
    ...(shadow === true && { shadow: { log, words } }),
  }
}

/** @throws QuerentError `bad-config` if others can reach the page and there is no token */
function guardOf(settings: SettingsOf<'proxy'>, terminal: Terminal): GuardOptions {
  const guard = pageGuard(settings, terminal)
  if (guard !== undefined) return guard
  throw new QuerentError('bad-config', 'Other machines could read your searches on the page of --inspect', {
    remedy: 'Add --set pageToken, or listen on this machine only.',
  })
}

/** @throws QuerentError `missing-key` if the environment has no credentials; `bad-config` for a service without a region */
function signOf(
  { sign: region, signService: service }: SettingsOf<'proxy'>,
  { env }: Terminal,
): SignOptions | undefined {
  if (region === undefined) {
    if (service === undefined) return undefined
    throw new QuerentError('bad-config', '--set signService needs --set sign', {
      remedy: 'Add --set sign with the region, such as eu-central-1.',
    })
  }
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env
  if (!accessKeyId || !secretAccessKey)
    throw new QuerentError('missing-key', 'The environment has no credentials to sign with', {
      remedy: 'Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_SESSION_TOKEN if they are temporary.',
    })
  const sessionToken = env.AWS_SESSION_TOKEN || undefined
  return { region, service, credentials: { accessKeyId, secretAccessKey, sessionToken } }
}
