# Portolan in one image: API, portal and worker. See docs/reference/settings.md for the settings.

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY . .
# The same two steps as `npm start` on a fresh clone, without starting.
RUN node tools/start.mjs --build-only

FROM node:24-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/contract/package.json packages/contract/
COPY packages/jq/package.json packages/jq/
COPY packages/archives/package.json packages/archives/
COPY packages/tables/package.json packages/tables/
COPY packages/evaluation/package.json packages/evaluation/
COPY packages/team-references/package.json packages/team-references/
COPY packages/backstage/package.json packages/backstage/
COPY packages/server/package.json packages/server/
COPY packages/cli/package.json packages/cli/
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund --workspace packages/server --workspace packages/cli

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 PORTOLAN_DATA_DIR=/data
WORKDIR /app
COPY --from=packages /app ./
COPY --from=build /app/packages/contract/dist packages/contract/dist
COPY --from=build /app/packages/jq/dist packages/jq/dist
COPY --from=build /app/packages/archives/dist packages/archives/dist
COPY --from=build /app/packages/tables/dist packages/tables/dist
COPY --from=build /app/packages/evaluation/dist packages/evaluation/dist
COPY --from=build /app/packages/team-references/dist packages/team-references/dist
COPY --from=build /app/packages/backstage/dist packages/backstage/dist
COPY --from=build /app/packages/server/dist packages/server/dist
COPY --from=build /app/packages/server/migrations packages/server/migrations
COPY --from=build /app/packages/server/demo packages/server/demo
COPY --from=build /app/packages/server/data packages/server/data
COPY --from=build /app/packages/cli/dist packages/cli/dist
COPY --from=build /app/packages/portal/dist packages/portal/dist
COPY --from=build /app/packages/cli/bin packages/cli/bin
COPY docs/guides docs/guides
COPY docs/reference docs/reference
COPY LICENSE NOTICE ./
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node itself is the main process, so that SIGTERM reaches it.
CMD ["node", "packages/server/dist/main.js"]
