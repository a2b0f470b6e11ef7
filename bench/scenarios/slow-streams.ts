import { openConnection, requestBytes } from '../harness/http-connection.ts';
import { repeat } from '../harness/load.ts';
import { median, percentile } from '../harness/statistics.ts';
import type { Finding } from '../harness/table.ts';
import type { Pace } from '../mock-model.ts';
import type { Scenario } from './scenario.ts';

const streams = 1_000;
/** The silences before and between the words are longer than any pause between two heartbeats may be. */
const pace: Pace = { firstMs: 16_000, gapMs: 16_000, tokens: 3 };
/** The longest silence that proxies are known to bear. */
const silenceMsMax = 15_000;
/** People do not all ask at the same moment. */
const askedWithinMs = 20_000;
const streamMsMax = 180_000;

/** A thousand answers under way at once, each nearly always silent: none is lost, and none looks dead to a proxy. */
export const slowStreams: Scenario = {
  name: 'slow-streams',
  async run(environment, size) {
    const { ours, headers } = environment;
    const count = size.rounds < 5 ? streams / 10 : streams;
    await environment.setPace(pace);
    const body = { userPrompt: 'Which services have no owner?' };
    const request = requestBytes('POST', '/v1/ai/invoke?deltas=true', { headers, body });
    const cpuBefore = await ours.cpuMs();
    const failures = new Map<string, number>();
    const fail = (why: string): undefined => {
      failures.set(why, (failures.get(why) ?? 0) + 1);
      return undefined;
    };
    const read = await Promise.all(
      repeat(count, async (index) => {
        await new Promise((resolve) => setTimeout(resolve, (index * askedWithinMs) / count));
        const connection = await openConnection(ours.port);
        try {
          const times = await connection.stream(request, /event: (text_delta|execution)/, streamMsMax);
          const error = /event: error\ndata: (.{0,120})/.exec(times.text)?.[1];
          if (error) return fail(error);
          return times.text.includes('event: done') ? times : fail('no done');
        } catch (error) {
          return fail((error as Error).message.split('\n', 1)[0] ?? '');
        } finally {
          connection.close();
        }
      }),
    );
    const cpu = ((await ours.cpuMs()) - cpuBefore) / count;
    const whole = read.filter((times) => times !== undefined);
    const silences = whole.map(({ longestSilenceMs }) => longestSilenceMs);
    const common = { path: `${count} slow streams`, contender: 'ours, token by token' };
    return [
      {
        ...common,
        figure: 'lost',
        value: count - whole.length,
        unit: '',
        note: [`${cpu.toFixed(1)} ms CPU per stream`, ...[...failures].map(([why, many]) => `${many} × ${why}`)].join(
          '; ',
        ),
        budget: { of: 'value', most: 0 },
      },
      {
        ...common,
        figure: 'longest silence',
        value: Math.max(...silences) / 1000,
        unit: 's',
        note: `p50 ${(median(silences) / 1000).toFixed(1)} s, p95 ${(percentile(silences, 0.95) / 1000).toFixed(1)} s`,
        budget: { of: 'value', most: silenceMsMax / 1000 },
      },
      { ...common, figure: 'RSS', value: await ours.rssMb(), unit: 'MB' },
    ] satisfies Finding[];
  },
};
