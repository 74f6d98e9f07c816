/** What a proxy optimizes with, made from settings: the same whether callers search through it or its searches are measured. */
import type { ProxyOptions } from '../../../adapters/apps/proxy/proxy.ts'
import type { Terminal } from '../output/terminal.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import type { Variant } from '../settings/variants.ts'
import { prepareSystem, type SystemSettings } from './build-search.ts'
import { readCertificates, readRules } from './setting-files.ts'

type Settings = SystemSettings & Pick<SettingsOf<'proxy'>, 'window' | 'rules' | 'ca' | 'relax' | 'recency'>

/** @throws as `prepareSystem`; QuerentError `missing-file` or `bad-file` for certificates, `bad-config` for rules */
export async function prepareOptimizing(
  variant: Variant,
  settings: Settings,
  terminal: Terminal,
): Promise<Omit<ProxyOptions, 'target'>> {
  const { chat, filters, make } = await prepareSystem(variant, settings, terminal)
  const { policy, rerank = false, budget } = await make([])
  const { fallback, window, relax, recency, legTimeout, chatTimeout, prices, workers } = settings
  return {
    ...{ policy, rerank, filters, chat, fallback, budget, prices, legTimeout, chatTimeout, workers, window },
    ...{ relax, recency },
    ca: await readCertificates(settings.ca),
    rules: await readRules(settings.rules),
    fusion: variant.fusion,
  }
}
