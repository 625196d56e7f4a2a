# Builds with the full image, which has the compiler that SQLite may need, and runs on the slim one as a user without rights.
FROM node:24.21.0-bookworm@sha256:64af3819f9275802414d7cdc38c27e9d82bd564dec4d4da87d008255d36c63b4 AS build
WORKDIR /app
COPY package.json package-lock.json ./
# npm leaves out SQLite where it cannot be compiled, and no image should be made without it.
RUN npm ci --no-audit --no-fund && node -e "require('sqlite3')"
COPY tsconfig.json tsconfig.build.json build.mjs ./
COPY src ./src
COPY commands ./commands
# The second step leaves the packages that the bot runs with: no tools that only build it or install SQLite.
RUN npm run build && node build.mjs --runtime
# CycloneDX, for scanners.
RUN npm sbom --omit=dev --sbom-format=cyclonedx > sbom.cdx.json

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY --from=build /app/sbom.cdx.json ./
COPY package.json LICENSE ./
# The one place the bot writes to. It must belong to the user before it becomes a volume, or a new volume belongs to root.
RUN mkdir data && chown node:node data
USER node
VOLUME /app/data

# Inside a container loopback reaches nobody, so the bot binds to every address and refuses to start without CONSOLE_TOKEN.
ENV HTTP_HOST=0.0.0.0 HTTP_PORT=8787
EXPOSE 8787
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.HTTP_PORT}/healthz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]

# Node itself, not npm, so that a stop reaches the bot and it can finish what is in hand.
CMD ["node", "--expose-gc", "--max-semi-space-size=8", "--no-parallel-scavenge", "--heap-growing-percent=50", "dist/src/main.js"]
