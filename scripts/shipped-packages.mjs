// @ts-check
/**
 * What npm installs with the package: neither development nor peers.
 *
 * @param {string} lock package-lock.json, in which npm notes the licenses
 */
export function shippedPackages(lock) {
  /** @type {{ packages: Record<string, { version: string, license?: string, dev?: true, devOptional?: true, peer?: true }> }} */
  const { packages } = JSON.parse(lock)
  return Object.entries(packages)
    .filter(([path, { dev, devOptional, peer }]) => path !== '' && !(dev || devOptional || peer))
    .map(([path, { version, license = 'none' }]) => ({
      name: path.replace(/^.*node_modules\//, ''),
      version,
      license,
    }))
}
