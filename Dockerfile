# The proxy and the search server of Querent: no shell, no package manager, not root. docs/production.md says how to run it.
#
#     docker build -t querent .

# Names of images move. For a release, name their digests, too: --build-arg BUILD_IMAGE=node:22-slim@sha256:…
ARG BUILD_IMAGE=node:22-slim
ARG RUN_IMAGE=gcr.io/distroless/nodejs22-debian12:nonroot

FROM ${BUILD_IMAGE} AS build
WORKDIR /source
COPY . .
RUN npm ci --ignore-scripts && npm run build && npm pack --ignore-scripts --pack-destination /tmp
WORKDIR /app
RUN npm init --yes \
  && npm install --omit=dev --omit=peer --ignore-scripts --no-audit --no-fund /tmp/querent-*.tgz

FROM ${RUN_IMAGE}
COPY --from=build /app/node_modules /app/node_modules
ENV NODE_ENV=production
WORKDIR /data
USER nonroot
EXPOSE 9292 8178
# Of the proxy. `querent serve` has its own at port 8178, /health: say so with --health-cmd.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s CMD ["/nodejs/bin/node", "-e", "fetch('http://127.0.0.1:9292/_querent/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/nodejs/bin/node", "/app/node_modules/querent/dist/src/cli/main.js"]
CMD ["--help"]
