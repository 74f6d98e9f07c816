/** Settings of `querent index`. */
import { clusterUrl } from '../../../adapters/search/cluster/connection.ts'
import { languageSchema, languages } from '../../../adapters/search/language.ts'
import { corpus } from './corpus-settings.ts'
import { engineKind } from './engine-definition.ts'
import { indexName } from './index-name.ts'
import { type CommandSettings, setting, type ValuesOf } from './setting.ts'
import { text } from './setting-kinds.ts'
import * as shared from './shared-settings.ts'

const groups = {
  'Into a folder': {
    out: setting(text, '<dir>', 'the folder of the index'),
    add: setting(
      text,
      '<corpus>',
      'add documents to the index; those with a known docid replace the old ones',
    ),
    delete: setting(
      text,
      '<file>',
      'delete documents from the index, before others are added: a docid a line',
    ),
  },
  'Onto a cluster': {
    engine: setting(engineKind, '<kind>', 'elasticsearch or opensearch'),
    url: setting(
      clusterUrl,
      '<url>',
      'a node; credentials in the URL, in QUERENT_ENGINE_API_KEY, or in QUERENT_ENGINE_USERNAME and _PASSWORD',
    ),
    name: setting(indexName, '<index>', 'the name of the index, in lower case'),
  },
  Vectors: {
    dense: shared.flag('also embed every document and index the vectors'),
    model: setting(
      text,
      '<model>',
      'the embedding model: a name, a folder or openai:NAME (default all-MiniLM-L6-v2)',
    ),
  },
  Words: {
    language: setting(
      languageSchema,
      '<language>',
      `of stems and stop words: ${languages.join(', ')} (default english)`,
    ),
  },
  Documents: corpus,
  Output: shared.json,
}

export type IndexSettings = ValuesOf<typeof groups>

export const indexSettings = {
  groups,
  examples: [
    [
      'querent index corpus.jsonl --out my-index',
      'BM25; each line is {"_id": "1", "title": "…", "text": "…"}',
    ],
    ['querent index scifact --out my-index --dense', 'a BEIR folder, with vectors'],
    [
      'querent index products.csv --out my-index --id-field sku --title-field name --text-field description',
      'a table, whose first line names the columns',
    ],
    ['querent index --out my-index --add new.jsonl --delete old-ids.txt', 'without making the rest again'],
    ['cat *.jsonl | querent index - --out my-index', 'from another program'],
    [
      'querent index corpus.jsonl --engine elasticsearch --url http://localhost:9200 --name my-index',
      'on a cluster',
    ],
  ],
} satisfies CommandSettings
