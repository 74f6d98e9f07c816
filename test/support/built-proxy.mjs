// @ts-check
/** The proxy as it is published, with its defaults, in a process of its own. Started with `fork`, it sends its address. */
import { createProxy } from 'querent/proxy'

const proxy = await createProxy({ target: process.argv[2] ?? '' })
process.on('disconnect', () => process.exit())
process.send?.(await proxy.listen(0))
