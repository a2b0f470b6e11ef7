import type { Environment } from '../harness/environment.ts';
import { type HttpConnection, openConnection, requestBytes } from '../harness/http-connection.ts';
import { type Contender, compare, cpuRatio, type Load, type LoadOptions, repeat } from '../harness/load.ts';
import type { StartedProcess } from '../harness/processes.ts';
import { median, percentile } from '../harness/statistics.ts';
import type { Finding } from '../harness/table.ts';
import type { Pace } from '../mock-model.ts';
import type { Scenario, Size } from './scenario.ts';

/** A server that answers a question with a stream. */
export interface StreamServer {
  readonly name: string;
  readonly server: StartedProcess;
  readonly request: Buffer;
  readonly firstText: RegExp;
}

const question = { userPrompt: 'Which services have no owner?' };
const text = /event: (text_delta|execution)/;

/** Ours with single tokens and with segments only, the plain loop, and the AI SDK. */
async function streamServers(environment: Environment): Promise<StreamServer[]> {
  const { ours, headers } = environment;
  const asked = (query: string): Buffer => requestBytes('POST', `/v1/ai/invoke${query}`, { headers, body: question });
  const bare = requestBytes('POST', '/', { body: question });
  return [
    { name: 'ours, token by token', server: ours, request: asked('?deltas=true'), firstText: text },
    { name: 'ours, segments', server: ours, request: asked(''), firstText: text },
    { name: 'plain loop', server: await environment.startContender('plain-loop.ts'), request: bare, firstText: text },
    { name: 'AI SDK', server: await environment.startContender('ai-sdk-server.ts'), request: bare, firstText: text },
  ];
}

/** Fails unless the stream went to its end and said something. */
async function ask(connection: HttpConnection, { name, request, firstText }: StreamServer) {
  const times = await connection.stream(request, firstText);
  const isWhole = times.text.includes('event: done') && !times.text.includes('event: error');
  if (!isWhole || Number.isNaN(times.firstTextMs)) throw new Error(`${name} gave a broken stream:\n${times.text}`);
  return times;
}

export const firstText: Scenario = {
  name: 'first-text',
  async run(environment, size) {
    const servers = await streamServers(environment);
    await environment.setPace({ firstMs: 20, gapMs: 0, tokens: 8 });
    const mock: StreamServer = {
      name: 'mock',
      server: environment.mock,
      request: requestBytes('POST', '/v1/chat/completions', { body: { stream: true } }),
      firstText: /"content":"[^"]/,
    };
    const all = [mock, ...servers];
    const connections = await Promise.all(all.map(({ server }) => openConnection(server.port)));
    const events = all.map((): number[] => []);
    const texts = all.map((): number[] => []);
    for (let turn = -20; turn < size.repetitions; turn += 1) {
      for (const [index, server] of all.entries()) {
        const connection = connections[index]!;
        const times = await (server === mock
          ? connection.stream(server.request, server.firstText)
          : ask(connection, server));
        if (turn < 0) continue;
        events[index]!.push(times.firstEventMs);
        texts[index]!.push(times.firstTextMs);
      }
    }
    for (const connection of connections) connection.close();
    const base = median(texts[0]!);
    return servers.flatMap((server, index): Finding[] => {
      const path = 'first text';
      const said = texts[index + 1]!;
      const note = `p95 ${(percentile(said, 0.95) - base).toFixed(1)}`;
      const isJudged = server.name === 'ours, token by token';
      return [
        {
          path,
          contender: server.name,
          figure: "over the model's own",
          value: median(said) - base,
          unit: 'ms',
          note,
          ...(isJudged ? { budget: { of: 'value', most: 5 } } : {}),
        },
        ...(isJudged
          ? [{ path, contender: server.name, figure: 'first event', value: median(events[index + 1]!), unit: 'ms' }]
          : []),
      ];
    });
  },
};

export const streamCpu: Scenario = {
  name: 'stream-cpu',
  async run(environment, size) {
    const servers = await streamServers(environment);
    const unpaced = { firstMs: 0, gapMs: 0, tokens: 64 };
    const paced = { firstMs: 50, gapMs: 10, tokens: 64 };
    const call = { name: 'list_blueprints', arguments: {} };
    return [
      ...(await measureCpu('64 tokens, unpaced', 4, environment, servers, unpaced, { ...size, connections: 4 })),
      ...(await measureCpu('64 tokens, paced', 7, environment, servers, paced, { ...longer(size), connections: 24 })),
      ...(await measureCpu(
        'tool call, then 64 tokens',
        undefined,
        environment,
        servers.slice(0, 1),
        { ...unpaced, call },
        {
          ...size,
          connections: 4,
        },
      )),
    ];
  },
};

/** A paced stream takes most of a second: a round has to hold many. */
function longer(size: Size): Size {
  return { ...size, roundMs: Math.max(size.roundMs, 1_600), rounds: Math.min(size.rounds, 5) };
}

async function measureCpu(
  path: string,
  most: number | undefined,
  environment: Environment,
  servers: readonly StreamServer[],
  pace: Pace,
  options: LoadOptions,
): Promise<Finding[]> {
  await environment.setPace(pace);
  const contenders = servers.map(
    (server): Contender => ({
      name: server.name,
      server: server.server,
      operate: async (connection) => void (await ask(connection, server)),
    }),
  );
  const loads = await compare(contenders, options);
  const plain = loads.find(({ name }) => name === 'plain loop');
  return loads.map((load) => ({
    path,
    contender: load.name,
    figure: 'CPU per stream',
    value: load.cpuMs,
    unit: 'ms',
    ...(plain && load !== plain ? { ratio: cpuRatio(plain, load) } : {}),
    ...(most !== undefined && load.name === 'ours, token by token' ? { budget: { of: 'value', most } } : {}),
    note: formatNote(load),
  }));
}

export function formatNote({ perSecond, p50, p95, spread }: Load): string {
  return `${perSecond.toFixed(0)}/s, p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, ±${(spread * 100).toFixed(0)} %`;
}

const concurrent = 200;
const slow: Pace = { firstMs: 200, gapMs: 20, tokens: 50 };
const idealMs = slow.firstMs + (slow.tokens - 1) * slow.gapMs;

export const concurrentStreams: Scenario = {
  name: 'concurrent-streams',
  async run(environment, size) {
    const servers = await streamServers(environment);
    await environment.setPace(slow);
    const findings: Finding[] = [];
    // the two forms of ours differ little here, and each takes its time
    for (const server of servers.filter(({ name }) => name !== 'ours, segments'))
      findings.push(...(await crowd(server, size.rounds < 5 ? 5_000 : 12_000)));
    return findings;
  },
};

/** Readers that ask again as soon as they are answered; the offered load is what they would get without any delay. */
async function crowd(server: StreamServer, measureMs: number): Promise<Finding[]> {
  const connections = await Promise.all(repeat(concurrent, () => openConnection(server.server.port)));
  const startedAt = performance.now();
  const from = startedAt + 3 * idealMs;
  const until = from + measureMs;
  const firsts: number[] = [];
  let answered = 0;
  let cpuBefore = Number.NaN;
  let rss = 0;
  const atBegin = new Promise<void>((resolve) => setTimeout(resolve, from - startedAt)).then(async () => {
    cpuBefore = await server.server.cpuMs();
  });
  const atEnd = new Promise<void>((resolve) => setTimeout(resolve, until - startedAt)).then(async () => {
    rss = await server.server.rssMb();
    return server.server.cpuMs();
  });
  await Promise.all(
    connections.map(async (connection, index) => {
      // spread over one stream's length, as people are
      await new Promise((resolve) => setTimeout(resolve, (index * idealMs) / concurrent));
      while (performance.now() < until) {
        const times = await ask(connection, server);
        const now = performance.now();
        if (now < from || now > until) continue;
        answered += 1;
        firsts.push(times.firstTextMs);
      }
    }),
  );
  await atBegin;
  const cpu = ((await atEnd) - cpuBefore) / answered;
  for (const connection of connections) connection.close();
  const path = `${concurrent} concurrent streams`;
  const common = { path, contender: server.name };
  const isJudged = server.name === 'ours, token by token';
  const share = (answered / measureMs / (concurrent / idealMs)) * 100;
  return [
    {
      ...common,
      figure: 'of the offered load',
      value: share,
      unit: '%',
      note: answered === 0 ? 'no stream ended in time' : `${cpu.toFixed(1)} ms CPU per stream`,
      ...(isJudged ? { budget: { of: 'value', least: 95 } } : {}),
    },
    {
      ...common,
      figure: 'first text p50',
      value: median(firsts),
      unit: 'ms',
      note: `p95 ${percentile(firsts, 0.95).toFixed(0)} ms`,
      ...(isJudged ? { budget: { of: 'value', most: 300 } } : {}),
    },
    { ...common, figure: 'RSS', value: rss, unit: 'MB', ...(isJudged ? { budget: { of: 'value', most: 250 } } : {}) },
  ];
}
