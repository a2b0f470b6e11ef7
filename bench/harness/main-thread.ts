import type { Browser, Page } from 'playwright-core';

/** A task of the page's main thread, in milliseconds: by the clock, and of CPU, which other programs do not stretch. */
interface Task {
  readonly wallMs: number;
  readonly cpuMs: number;
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

const taskName = 'ThreadControllerImpl::RunTask';

/** The tasks of the main thread while something is done on a page, the longest by CPU first. */
export async function traceTasks(browser: Browser, page: Page, work: () => Promise<void>): Promise<readonly Task[]> {
  await browser.startTracing(page, { categories: ['toplevel'] });
  let trace: Buffer;
  try {
    await work();
  } finally {
    trace = await browser.stopTracing();
  }
  const { traceEvents } = JSON.parse(trace.toString('utf8')) as { traceEvents: readonly TraceEvent[] };
  const threads = traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const tasksOf = ({ pid, tid }: TraceEvent): readonly TraceEvent[] =>
    traceEvents.filter((event) => event.name === taskName && event.pid === pid && event.tid === tid);
  // other renderers wait idle for a page
  const busiest = threads.map(tasksOf).toSorted((one, other) => cpuOf(other) - cpuOf(one))[0] ?? [];
  if (busiest.length === 0) throw new Error('The trace has no task of the main thread');
  return busiest
    .map(({ dur = 0, tdur = 0 }) => ({ wallMs: dur / 1000, cpuMs: tdur / 1000 }))
    .toSorted((one, other) => other.cpuMs - one.cpuMs);
}

function cpuOf(events: readonly TraceEvent[]): number {
  return events.reduce((sum, { tdur = 0 }) => sum + tdur, 0);
}
