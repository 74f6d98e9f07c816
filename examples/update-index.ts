/** Changes the index in my-index: adds or replaces a document, and deletes others. */
import { updateIndex } from 'querent/index-folder'

const { added, replaced, removed, unknown } = await updateIndex({
  out: 'my-index',
  add: [{ docid: 'stoker', title: 'Bram Stoker', text: 'Bram Stoker, born in Dublin, wrote Dracula.' }],
  remove: ['moved', 'unknown'],
})
console.log({ added, replaced, removed, unknown })
