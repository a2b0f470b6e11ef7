import { readdir } from 'node:fs/promises';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import { Counter, Gauge, type Registry } from 'prom-client';

/**
 * Process metrics under the names that common Node dashboards expect. Values are read at each scrape; in between, only
 * the event loop's delay is sampled, until the application closes. prom-client's own collection starts observers per
 * registry that never stop, so it is not used.
 */
export function observeProcess(app: FastifyInstance, registry: Registry): void {
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number | Promise<number>): void => {
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        this.set(await read());
      },
    });
  };
  const counter = (name: string, help: string, read: () => number): void => {
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  };
  counter('process_cpu_user_seconds_total', 'Time the process computed', () => process.cpuUsage().user / 1e6);
  counter('process_cpu_system_seconds_total', 'Time the system computed for it', () => process.cpuUsage().system / 1e6);
  counter('process_cpu_seconds_total', 'Both together', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  const startedAt = Math.round(Date.now() / 1000 - process.uptime());
  gauge('process_start_time_seconds', 'When the process started, since the epoch', () => startedAt);
  gauge('process_resident_memory_bytes', 'Memory of the process', () => process.memoryUsage.rss());
  gauge('nodejs_heap_size_used_bytes', 'Heap in use', () => process.memoryUsage().heapUsed);
  gauge('nodejs_heap_size_total_bytes', 'Heap reserved', () => process.memoryUsage().heapTotal);
  gauge('nodejs_external_memory_bytes', 'Memory outside the heap', () => process.memoryUsage().external);
  if (process.platform === 'linux') gauge('process_open_fds', 'Open file descriptors', countOpenFiles);
  observeEventLoop(app, registry);
}

async function countOpenFiles(): Promise<number> {
  return (await readdir('/proc/self/fd')).length;
}

/** The delay covers the time since the last scrape; the utilization covers the life of the process. */
function observeEventLoop(app: FastifyInstance, registry: Registry): void {
  // The histogram records whole timer periods, so a loop without delay shows one period.
  const periodMs = 20;
  const delay = monitorEventLoopDelay({ resolution: periodMs });
  app.addHook('onReady', async () => {
    delay.enable();
  });
  app.addHook('onClose', async () => {
    delay.disable();
  });
  const quantiles = [50, 90, 99, 100].map((quantile) => ({
    quantile,
    gauge: new Gauge({
      name: `nodejs_eventloop_lag_${quantile === 100 ? 'max' : `p${quantile}`}_seconds`,
      help: `How late the event loop was since the last scrape, quantile ${quantile / 100}`,
      registers: [],
    }),
  }));
  // Both are read here, because reading resets the histogram; a scrape reads gauges in the order of registration.
  new Gauge({
    name: 'nodejs_eventloop_utilization',
    help: 'Share of its time that the event loop was busy',
    registers: [registry],
    collect() {
      this.set(performance.eventLoopUtilization().utilization);
      for (const { quantile, gauge } of quantiles) {
        gauge.set(Math.max(0, delay.percentile(quantile) / 1e6 - periodMs) / 1000);
      }
      delay.reset();
    },
  });
  for (const { gauge } of quantiles) registry.registerMetric(gauge);
}
