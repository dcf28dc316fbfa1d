# Builds the bundle, then copies it into an image that has nothing but Node.
# The bundle is the same on every platform, so it is built on that of the builder.
FROM --platform=$BUILDPLATFORM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# The only package with an install script brings a second Node, which the image does not need.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY openapi.yaml tsconfig.json ./
COPY generated generated
COPY scripts scripts
COPY src src
RUN node scripts/build.ts && mkdir /data

FROM node:24-slim
ENV NODE_ENV=production ADDRESS=0.0.0.0 DATA_DIR=/data/database
WORKDIR /app
COPY LICENSE package.json openapi.yaml ./
COPY generated/contract.json generated/routes.json generated/reader.js generated/
COPY src/web/pages/assets/reader.css src/web/pages/assets/icon.svg src/web/pages/assets/card.png src/web/pages/assets/
COPY --from=build /app/.build .build
# The only folder that must be writable. Without RUN, this stage needs no emulator for other platforms.
COPY --from=build --chown=node:node /data /data
VOLUME /data
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", ".build/main.js"]
