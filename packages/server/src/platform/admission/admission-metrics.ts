import { Gauge, type Metric } from 'prom-client';
import type { Admission } from './admission.ts';

export function admissionMetrics(admission: Admission): readonly Metric[] {
  const gauge = (name: string, help: string, read: () => Readonly<Record<string, number>>): Metric =>
    new Gauge({
      name,
      help,
      labelNames: ['class'],
      registers: [],
      collect() {
        for (const [workClass, value] of Object.entries(read())) this.set({ class: workClass }, value);
      },
    });
  return [
    gauge(
      'portolan_admission_under_way',
      'Requests and jobs that are being done, by class',
      () => admission.figures().underWay,
    ),
    gauge('portolan_admission_waiting', 'Requests that wait to be begun, by class', () => admission.figures().waiting),
  ];
}
