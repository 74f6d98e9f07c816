// @ts-check
/** The servers that tests are run against: which version of what, and what each is started with. */

/**
 * @typedef {object} Recipe
 * @property {'elasticsearch' | 'opensearch'} engine
 * @property {string} version
 * @property {readonly string[]} [arguments] settings and plugins beside those of every node
 * @property {{ readonly username: string, readonly password: string }} [credentials] who may do everything
 */

/** In `opensearch-secure` it also opens the key stores, and stands hashed among the users. */
const password = 'querent-only-for-tests'

const tls = 'plugins.security.ssl.transport'

/** Each is built from the folder of its name, but for `elasticsearch-8`: there is one for both versions. */
export const recipes = /** @type {const} @satisfies {Record<string, Recipe>} */ ({
  elasticsearch: { engine: 'elasticsearch', version: '9.5.3' },
  'elasticsearch-8': { engine: 'elasticsearch', version: '8.19.21' },
  'elasticsearch-secure': {
    engine: 'elasticsearch',
    version: '9.5.3',
    arguments: [
      'xpack.security.enabled=true',
      'xpack.security.transport.ssl.enabled=false',
      'xpack.security.http.ssl.enabled=false',
      `bootstrap.password=${password}`,
    ],
    credentials: { username: 'elastic', password },
  },
  opensearch: { engine: 'opensearch', version: '3.8.0' },
  /** The newest version whose k-NN plugin is published. */
  'opensearch-vectors': {
    engine: 'opensearch',
    version: '3.5.0',
    arguments: ['plugin=org.opensearch.knn.plugin.KNNPlugin:org.opensearch.painless.PainlessModulePlugin'],
  },
  /** The newest version whose security plugin is published. */
  'opensearch-secure': {
    engine: 'opensearch',
    version: '3.4.0',
    arguments: [
      'plugin=org.opensearch.security.OpenSearchSecurityPlugin',
      'plugins.security.allow_default_init_securityindex=true',
      'plugins.security.nodes_dn=CN=node',
      // Users and roles can be made over HTTP.
      'plugins.security.restapi.roles_enabled=all_access',
      'plugins.security.ssl.http.enabled=false',
      `${tls}.enforce_hostname_verification=false`,
      `${tls}.keystore_type=PKCS12`,
      `${tls}.keystore_filepath=key.p12`,
      `${tls}.keystore_password=${password}`,
      `${tls}.truststore_type=PKCS12`,
      `${tls}.truststore_filepath=trust.p12`,
      `${tls}.truststore_password=${password}`,
    ],
    credentials: { username: 'admin', password },
  },
})

/** @typedef {keyof typeof recipes} EngineKind */

export const engineKinds = /** @type {readonly EngineKind[]} */ (Object.keys(recipes))
