import type { GuardOptions } from '../../../adapters/apps/http/guard.ts'
import { inspectPath } from '../../../adapters/apps/proxy/inspect.ts'
import { createProxy } from '../../../adapters/apps/proxy/proxy.ts'
import type { SignOptions } from '../../../adapters/apps/proxy/sign.ts'
import { policyByName } from '../../../policies/by-name.ts'
import { QuerentError } from '../../errors.ts'
import { defaultThreads } from '../../runtime/threads.ts'
import { budgetFor } from '../open/budget-of-settings.ts'
import { needsChatModel } from '../open/build-search.ts'
import { openCache } from '../open/cache.ts'
import { readCertificates } from '../open/certificates.ts'
import { chatModelOf } from '../open/chat-model.ts'
import { readFilterFields, readRules } from '../open/json-setting.ts'
import { pageGuard } from '../open/page-guard.ts'
import { readTemplate } from '../open/read-template.ts'
import { openRegistry } from '../open/registry.ts'
import { prepareReranking } from '../open/reranking.ts'
import { searchLog } from '../open/search-log.ts'
import { serveUntilInterrupted } from '../open/serve-until-signal.ts'
import { sayWithoutEffect } from '../open/without-effect.ts'
import type { Terminal } from '../output/terminal.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { required } from '../settings/setting.ts'
import { variantOf } from '../settings/variants.ts'

const defaultPort = 9292

/** `querent proxy --target <url>` */
export async function runProxy(
  _: readonly string[],
  { processes = 1, workers = Math.ceil(defaultThreads() / processes), ...others }: SettingsOf<'proxy'>,
  terminal: Terminal,
): Promise<void> {
  const settings = { ...others, workers, breaker: true }
  if (processes > 1 && settings.inspect === true)
    throw new QuerentError('bad-config', '--inspect shows the searches of one process', {
      remedy: 'Leave out --processes or --inspect.',
    })
  if (processes > 1 && terminal.primary === undefined) {
    const { runWorkers } = await import('../workers/primary.ts')
    return runWorkers(processes, terminal)
  }
  const sign = signOf(settings, terminal)
  const inspect = settings.inspect === true && guardOf(settings, terminal)
  const target = required(settings, 'target')
  const variant = variantOf(settings)
  const template = await readTemplate(settings.template)
  const filters = await readFilterFields(settings.filterFields)
  const decider = await policyByName(variant.policy, { ...settings, template })
  sayWithoutEffect(settings, [{ decider, rerank: variant.rerank }], terminal)
  const asks = needsChatModel(decider, settings)
  const reranking = await prepareReranking(variant.rerank, settings, terminal)
  const { policy, rerank } = await reranking.applyTo(await decider.make([]), asks, [])
  const { cache, close } = await openCache(asks ? settings : {}, terminal)
  const proxy = await createProxy({
    target,
    ca: settings.ca === undefined ? undefined : await readCertificates(settings.ca),
    sign,
    policy,
    filters,
    rules: await readRules(settings.rules),
    rerank: rerank ?? false,
    chat: asks ? await chatModelOf(`The policy ${variant.policy}`, settings, terminal) : undefined,
    fallback: settings.fallback,
    cache,
    fusion: variant.fusion,
    window: settings.window,
    explain: settings.explain,
    metrics: settings.metrics === true && openRegistry(terminal),
    inspect,
    hosts: settings.hosts,
    cors: settings.cors,
    observe: searchLog(settings, terminal),
    workers,
    legTimeout: settings.legTimeout,
    budget: budgetFor(settings, policy.budget),
    prices: settings.prices,
    most: settings.maxRequests,
    grace: settings.grace,
    headersTimeout: settings.headersTimeout,
    idleTimeout: settings.idleTimeout,
  })
  try {
    const url = await proxy.listen(settings.port ?? defaultPort, settings.host)
    const lines = [
      `Listening on ${url}, in front of ${target}. Stop with Ctrl-C.`,
      ...(inspect ? [`To look at searches in a browser, open ${url}${inspectPath}`] : []),
    ]
    await serveUntilInterrupted(proxy, lines, settings, terminal)
  } finally {
    await close()
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
