import type { EvaluationProgress } from '@portolan/evaluation';
import type { Output } from '../context.ts';

export interface ProgressDisplay {
  show(progress: EvaluationProgress): void;
  end(): void;
}

/** One line that is written over on a terminal; elsewhere a line for each tenth of the way, so that logs stay short. */
export function showProgress(err: Output): ProgressDisplay {
  let tenths = 0;
  let isOpen = false;
  return {
    show({ done, all, right, costUsd }) {
      const cost = costUsd > 0 ? `, $${costUsd.toFixed(2)}` : '';
      const line = `${done} of ${all} answered, ${right} right${cost}`;
      if (err.isTerminal) {
        err.write(`\r\u001b[K${line}`);
        isOpen = true;
        return;
      }
      const reached = Math.floor((done * 10) / all);
      if (reached > tenths) err.write(`${line}\n`);
      tenths = reached;
    },
    end() {
      if (isOpen) err.write('\r\u001b[K');
    },
  };
}
