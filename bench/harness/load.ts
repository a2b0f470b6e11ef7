import { type HttpConnection, openConnection } from './http-connection.ts';
import type { StartedProcess } from './processes.ts';
import { median, percentile, spread } from './statistics.ts';

/** A server in a comparison, and how one operation is asked of it. */
export interface Contender {
  readonly name: string;
  readonly server: StartedProcess;
  /** One operation; resolves to its latency in milliseconds, rejects if it went wrong. */
  operate(connection: HttpConnection): Promise<void>;
}

/** Figures of one contender over all rounds. */
export interface Load {
  readonly name: string;
  readonly perSecond: number;
  readonly cpuMs: number;
  readonly p50: number;
  readonly p95: number;
  /** How much the CPU per operation moved between rounds. */
  readonly spread: number;
  /** Per round, so that ratios can be taken within rounds. */
  readonly rounds: readonly Round[];
}

interface Round {
  readonly perSecond: number;
  readonly cpuMs: number;
}

export interface LoadOptions {
  readonly connections: number;
  readonly rounds: number;
  readonly roundMs: number;
  readonly warmUpMs: number;
}

/** Runs the contenders in turns under a closed loop. What the warm-up measures is thrown away. */
export async function compare(contenders: readonly Contender[], options: LoadOptions): Promise<Load[]> {
  const pools = await Promise.all(
    contenders.map(({ server }) => Promise.all(repeat(options.connections, () => openConnection(server.port)))),
  );
  const latencies = contenders.map((): number[] => []);
  const rounds = contenders.map((): Round[] => []);
  for (const [index, contender] of contenders.entries()) await drive(contender, pools[index]!, options.warmUpMs);
  for (let round = 0; round < options.rounds; round += 1) {
    for (const [index, contender] of contenders.entries()) {
      const { measured, figures } = await drive(contender, pools[index]!, options.roundMs);
      latencies[index]!.push(...measured);
      rounds[index]!.push(figures);
    }
  }
  for (const connection of pools.flat()) connection.close();
  return contenders.map(({ name }, index) => ({
    name,
    rounds: rounds[index]!,
    perSecond: median(rounds[index]!.map(({ perSecond }) => perSecond)),
    cpuMs: median(rounds[index]!.map(({ cpuMs }) => cpuMs)),
    p50: median(latencies[index]!),
    p95: percentile(latencies[index]!, 0.95),
    spread: spread(rounds[index]!.map(({ cpuMs }) => cpuMs)),
  }));
}

async function drive({ server, operate }: Contender, connections: readonly HttpConnection[], ms: number) {
  const measured: number[] = [];
  const cpuBefore = await server.cpuMs();
  const startedAt = performance.now();
  await Promise.all(
    connections.map(async (connection) => {
      for (let now = startedAt; now - startedAt < ms; ) {
        await operate(connection);
        const then = performance.now();
        measured.push(then - now);
        now = then;
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  const cpuMs = ((await server.cpuMs()) - cpuBefore) / measured.length;
  return { measured, figures: { perSecond: measured.length / seconds, cpuMs } };
}

/** How much CPU the reference takes for an operation against what the other takes: the median over rounds. */
export function cpuRatio(reference: Load, other: Load): number {
  return median(other.rounds.map(({ cpuMs }, index) => (reference.rounds[index]?.cpuMs ?? Number.NaN) / cpuMs));
}

/** How many operations the other answers for each of the reference. */
export function throughputRatio(reference: Load, other: Load): number {
  return median(
    other.rounds.map(({ perSecond }, index) => perSecond / (reference.rounds[index]?.perSecond ?? Number.NaN)),
  );
}

export function repeat<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
