# syntax=docker/dockerfile:1
# Portolan in one image: API, portal and worker, the command line too. It is the npm package, installed. See
# docs/guides/install.md, and docs/reference/settings.md for the settings.

FROM node:24-trixie-slim AS build
WORKDIR /source
COPY . .
RUN ["npm", "run", "package"]
# without the tarball's name, which has the version in it
RUN ["npm", "install", "--prefix", "/opt/portolan", "--install-links", "--ignore-scripts", "--omit=dev", "--no-audit", "--no-fund", "/source/output/package"]
RUN ["mkdir", "/data"]

# No shell, no package manager: Node and what it needs.
FROM gcr.io/distroless/nodejs24-debian13
# the last has glibc give memory back that was used once (docs/decisions/0211)
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 PORTOLAN_DATA_DIR=/data MALLOC_TRIM_THRESHOLD_=131072
COPY --from=build /opt/portolan /opt/portolan
COPY --from=build --chown=1000:1000 /data /data
WORKDIR /data
USER 1000:1000
VOLUME ["/data"]
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["/nodejs/bin/node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node itself is the main process, so that SIGTERM reaches it.
ENTRYPOINT ["/nodejs/bin/node", "/opt/portolan/node_modules/portolan/bin/portolan.mjs"]
CMD ["start"]
