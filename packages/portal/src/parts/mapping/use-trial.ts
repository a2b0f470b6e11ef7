import type { MappedEvent } from '@portolan/jq';
import { useEffect, useRef, useState } from 'react';
import type { MappingPart } from './mapping-document.ts';
import type { SampleEvent, TrialAnswer, TrialRequest } from './trial-messages.ts';

/** A worker that has not answered by now is terminated. */
const answerMsMax = 3_000;
/** Delay after the last key press. */
const restMs = 200;

export type Trial =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running' }
  /** The worker did not answer and was terminated. */
  | { readonly kind: 'stopped' }
  | {
      readonly kind: 'done';
      readonly results: readonly { readonly part: MappingPart; readonly mapped: MappedEvent }[];
    };

/** Tries mappings on an event in a worker while they are being edited; only the latest result counts. */
export function useTrial(parts: readonly MappingPart[], event: SampleEvent | undefined): Trial {
  const [trial, setTrial] = useState<Trial>({ kind: 'idle' });
  const worker = useRef<Worker | undefined>(undefined);
  const count = useRef(0);
  useEffect(
    () => () => {
      worker.current?.terminate();
      worker.current = undefined;
    },
    [],
  );
  useEffect(() => {
    if (event === undefined || parts.length === 0) return setTrial({ kind: 'idle' });
    count.current += 1;
    const id = count.current;
    let deadline: ReturnType<typeof setTimeout> | undefined;
    let stopListening = () => {};
    const rest = setTimeout(() => {
      setTrial((before) => (before.kind === 'done' ? before : { kind: 'running' }));
      worker.current ??= new Worker(new URL('./try-mapping.worker.ts', import.meta.url), { type: 'module' });
      const running = worker.current;
      const end = () => {
        running.terminate();
        if (worker.current === running) worker.current = undefined;
        setTrial({ kind: 'stopped' });
      };
      const hear = ({ data }: MessageEvent<TrialAnswer>) => {
        if (data.id !== id) return;
        clearTimeout(deadline);
        deadline = undefined;
        setTrial({ kind: 'done', results: data.results.map((mapped, index) => ({ part: parts[index]!, mapped })) });
      };
      deadline = setTimeout(end, answerMsMax);
      running.addEventListener('message', hear);
      running.addEventListener('error', end);
      stopListening = () => {
        running.removeEventListener('message', hear);
        running.removeEventListener('error', end);
      };
      const mappings = parts.map(({ mapping }) => mapping);
      running.postMessage({ id, mappings, event, at: Date.now() } satisfies TrialRequest);
    }, restMs);
    return () => {
      clearTimeout(rest);
      stopListening();
      if (deadline === undefined) return;
      clearTimeout(deadline);
      // it may still be busy with an outdated request
      worker.current?.terminate();
      worker.current = undefined;
    };
  }, [parts, event]);
  return trial;
}
