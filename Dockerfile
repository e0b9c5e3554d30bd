# A sandbox in a container: docs/ci.md#docker. Its log shows the keys that the first start makes. The long tests run each RUN line; no image is built where they run.
FROM node:22-alpine AS build
WORKDIR /src
COPY . .
RUN npm ci --no-audit --no-fund && npm pack --pack-destination /tmp

FROM node:22-alpine
COPY --from=build /tmp/tillbox-*.tgz /tmp/tillbox.tgz
RUN npm install --global --offline --no-audit --no-fund /tmp/tillbox.tgz && rm /tmp/tillbox.tgz \
  && install -d -o node -g node -m 0700 /state
USER node
ENV TILLBOX_STATE=/state
VOLUME /state
EXPOSE 8455
HEALTHCHECK --interval=10s --timeout=5s CMD ["tillbox", "sandbox", "wait", "--timeout", "3s"]
ENTRYPOINT ["tillbox"]
CMD ["sandbox", "start", "--host", "0.0.0.0"]
