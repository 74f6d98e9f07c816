/** The image and the composition say what the command line and the project have. `test/live/image.test.ts` runs what is in the image. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { ofCommands } from '../src/cli/settings/of-commands.ts'
import { settingsIn } from '../src/cli/settings/setting.ts'

const { bin } = JSON.parse(readFileSync('package.json', 'utf8'))
const dockerfile = readFileSync('examples/docker/Dockerfile', 'utf8')
const instructions = dockerfile
  .replaceAll('\\\n', ' ')
  .split('\n')
  .filter((line) => /^[A-Z]+ /.test(line))
const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM ')))
const wordsAfter = (name: string): string => {
  const found = last.filter((line) => line.startsWith(`${name} `))
  expect(found).toHaveLength(1)
  return found[0]!.slice(name.length + 1)
}

describe('the Dockerfile', () => {
  it('has nothing that a linter complains about', () => {
    expect(validate(dockerfile)).toEqual([])
    expect(validate(dockerfile.replace('WORKDIR /data', 'WORKDIR data'))).toHaveLength(1)
    expect(validate(dockerfile.replace('EXPOSE 9292', 'EXPOSE port')).map(({ message }) => message)).toEqual([
      'Invalid containerPort: port',
    ])
  })

  it('starts the command of the package, as a user without rights', () => {
    const [, script] = JSON.parse(wordsAfter('ENTRYPOINT'))
    expect(script).toBe(`/app/node_modules/querent/${bin.querent.replace('./', '')}`)
    expect(wordsAfter('USER')).toBe('nonroot')
    expect(instructions).toContainEqual(expect.stringMatching(/^ARG RUN_IMAGE=.*:nonroot$/))
    expect(last[0]).toMatch(/^FROM \$\{RUN_IMAGE\}$/)
  })

  it('asks for its health what the proxy answers', () => {
    expect(wordsAfter('HEALTHCHECK')).toContain('http://127.0.0.1:9292/_querent/health')
    expect(ofCommands.proxy.examples).toContain('9292')
  })
})

describe('compose.yaml', () => {
  const { services, volumes } = parse(readFileSync('examples/docker/compose.yaml', 'utf8'))

  it('starts the proxy with options that it has, on a file system that it cannot write', () => {
    const { command, read_only: isReadOnly, cap_drop: dropped } = services.querent
    const flags = command.filter((word: string) => word.startsWith('--')).map((word: string) => word.slice(2))
    expect(flags.filter((flag: string) => !Object.hasOwn(settingsIn(ofCommands.proxy.groups), flag))).toEqual(
      [],
    )
    expect([command[0], isReadOnly, dropped]).toEqual(['proxy', true, ['ALL']])
  })

  it('mounts files that exist, and reads the metrics of the proxy', () => {
    const mounted = Object.values(services as Record<string, { volumes?: string[] }>)
      .flatMap((service) => service.volumes ?? [])
      .map((volume) => volume.split(':')[0]!)
    expect(
      mounted.filter((path) => !existsSync(join('examples/docker', path)) && !Object.hasOwn(volumes, path)),
    ).toEqual([])
    const scraped = parse(readFileSync('examples/integrations/prometheus/prometheus.yml', 'utf8'))
      .scrape_configs[0]
    expect(scraped).toMatchObject({
      metrics_path: '/_querent/metrics',
      static_configs: [{ targets: ['querent:9292'] }],
    })
  })

  it('opens its ports to this machine only', () => {
    const ports = Object.values(services as Record<string, { ports?: string[] }>).flatMap(
      (service) => service.ports ?? [],
    )
    expect(ports.length).toBeGreaterThan(0)
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/)
  })
})
