import { type TaskName, tasks } from './tasks.ts'

/** What a thread runs. */
export default async function runTask({ name, input }: { name: TaskName; input: never }): Promise<unknown> {
  return tasks[name](input)
}
