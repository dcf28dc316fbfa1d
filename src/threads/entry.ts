import { type TaskName, tasks } from './tasks.ts'

/** Entry point of a worker thread. */
export default async function runTask({ name, input }: { name: TaskName; input: never }): Promise<unknown> {
  return tasks[name](input)
}
