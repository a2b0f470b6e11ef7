/** CPU microseconds of this process, which other load on the machine disturbs less than the clock. */
export function cpuMicroseconds(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Calls a second of CPU time: warmed up, then the best of three rounds. */
export function callsPerCpuSecond(call: () => void, roundMs = 300): number {
  const warmUntil = cpuMicroseconds() + (roundMs / 3) * 1_000;
  while (cpuMicroseconds() < warmUntil) call();
  let best = 0;
  for (let round = 0; round < 3; round++) {
    const start = cpuMicroseconds();
    let calls = 0;
    let spent = 0;
    while (spent < roundMs * 1_000) {
      for (let burst = 0; burst < 50; burst++) call();
      calls += 50;
      spent = cpuMicroseconds() - start;
    }
    best = Math.max(best, (calls / spent) * 1e6);
  }
  return best;
}

export const thousands = (value: number): string => `${(value / 1_000).toFixed(value < 10_000 ? 2 : 0)} k/s`;
