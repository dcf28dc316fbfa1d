export interface Point {
  x: number
  y: number
}

export interface Size {
  width: number
  height: number
}

type Node = Point & Size

export interface Link {
  source: Node
  target: Node
  /** Points of the layout between both nodes. The label stands at one of them. */
  waypoints: Point[]
  label: Node | null
}

/** The end of an arrow at the top or bottom of a node. */
interface Port extends Point {
  node: Node
  /** The x coordinate that the arrow comes from or leads to. */
  towardsX: number
}

/** The minimum distance of a port from the corner of its node. */
const CORNER = 12
const PORT_GAP = 18
const MAX_LABEL_SHIFT = 24

/** The path of an arrow to the node on the right. */
export function rowPath(source: Node, target: Node): string {
  return `M${pair({ x: source.x + source.width / 2, y: source.y })}H${rounded(target.x - target.width / 2)}`
}

/** The path of an arrow from one side of a node back to the same side. It extends to the x coordinate `reach`. */
export function loopPath({ x, y, width, height }: Node, reach: number): string {
  const side = x + (Math.sign(reach - x) * width) / 2
  // A cubic curve reaches three quarters of the way to its control points.
  const control = side + (reach - side) * (4 / 3)
  const [top, bottom] = [y - height / 4, y + height / 4]
  return `M${pair({ x: side, y: top })}C${pair({ x: control, y: top })} ${pair({ x: control, y: bottom })} ${pair({ x: side, y: bottom })}`
}

/**
 * The paths of arrows between nodes at different heights, as curves that leave and reach nodes vertically. Moves labels
 * that are beside their arrow onto it.
 */
export function arrowPaths(links: Link[]): string[] {
  const ports = links.map(portsOf)
  for (const side of Map.groupBy(ports.flat(), ({ node, y }) => `${node.x} ${y}`).values()) spread(side)
  const labels = links.flatMap(({ label }) => label ?? [])
  return links.map(({ waypoints, label }, i) => {
    const [start, end] = ports[i] ?? []
    if (!start || !end) return ''
    // A curve is smoother if its only waypoint is left out.
    const isDirect = waypoints.length === 1 && (!label || isMoved(label, (start.x + end.x) / 2, labels))
    return curve([start, ...(isDirect ? [] : waypoints), end])
  })
}

function isMoved(label: Node, x: number, labels: Node[]): boolean {
  const isFree = labels.every(
    (other) =>
      other === label ||
      Math.abs(other.x - x) >= (other.width + label.width) / 2 ||
      Math.abs(other.y - label.y) >= (other.height + label.height) / 2,
  )
  if (Math.abs(x - label.x) > MAX_LABEL_SHIFT || !isFree) return false
  label.x = x
  return true
}

function portsOf({ source, target, waypoints }: Link): [Port, Port] {
  const [first, last] = [waypoints[0] ?? target, waypoints.at(-1) ?? source]
  const [from, to] = [portRange(source), portRange(target)]
  const common = { min: Math.max(from.min, to.min), max: Math.min(from.max, to.max) }
  const isStraight = waypoints.length === 1 && common.min <= common.max
  const port = (node: Node, next: Point, range: typeof common) => ({
    node,
    towardsX: next.x,
    x: Math.min(Math.max(next.x, range.min), range.max),
    y: node.y + (Math.sign(next.y - node.y) * node.height) / 2,
  })
  return [port(source, first, isStraight ? common : from), port(target, last, isStraight ? common : to)]
}

function portRange({ x, width }: Node) {
  const distance = Math.max(0, width / 2 - CORNER)
  return { min: x - distance, max: x + distance }
}

/** Moves ports on one side of a node apart. */
function spread(ports: Port[]): void {
  const [first] = ports
  if (!first || ports.length === 1) return
  const { min, max } = portRange(first.node)
  const gap = Math.min(PORT_GAP, (max - min) / (ports.length - 1))
  const sorted = ports.toSorted((a, b) => a.x - b.x || a.towardsX - b.towardsX)
  for (const [i, port] of sorted.entries()) {
    const before = sorted[i - 1]
    port.x = Math.min(Math.max(port.x, before ? before.x + gap : min), max - (sorted.length - 1 - i) * gap)
  }
}

function curve(points: [Point, ...Point[]]): string {
  return points.slice(1).reduce(
    (path, to, i) => {
      const from = points[i] ?? to
      const middle = (from.y + to.y) / 2
      return `${path}C${pair({ x: from.x, y: middle })} ${pair({ x: to.x, y: middle })} ${pair(to)}`
    },
    `M${pair(points[0])}`,
  )
}

function pair({ x, y }: Point): string {
  return `${rounded(x)} ${rounded(y)}`
}

export function rounded(value: number): number {
  return Math.round(value * 10) / 10
}
