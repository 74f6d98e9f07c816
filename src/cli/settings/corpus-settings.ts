/** Settings of commands that read documents. */
import { z } from 'zod'
import { corpusFormats } from '../../evaluation/corpus-formats.ts'
import { setting } from './setting.ts'
import { names, text } from './setting-kinds.ts'
import { flag } from './shared-settings.ts'

export const corpus = {
  inputFormat: setting(
    z.enum(corpusFormats, `must be one of ${corpusFormats.join(', ')}`),
    '<format>',
    `${corpusFormats.join(', ')} (default: by the end of the file's name, otherwise jsonl)`,
  ),
  columns: setting(names, '<names>', 'of a table without a line of names: id,text (default: its first line)'),
  idField: setting(text, '<field>', 'the field or column of docids (default _id)'),
  titleField: setting(text, '<field>', 'the field or column of titles (default title)'),
  textField: setting(text, '<field>', 'the field or column of texts (default text)'),
  skipBadLines: flag('leave out lines that are wrong, and count them'),
}
