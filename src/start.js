// The entry point. Plain JavaScript without static imports, so that an old Node gets as far as the message.
const { node } = process.versions

if (Number(node.split('.')[0]) < 24) {
  console.error(
    `Pullpress needs Node 24; this is ${node} (${process.execPath}). npm ci installs it: node_modules/node/bin/node`,
  )
  process.exit(1)
}
await import('./main.ts')
