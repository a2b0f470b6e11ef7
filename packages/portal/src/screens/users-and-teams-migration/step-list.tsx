import { Check } from 'lucide-react';
import { t } from '../../kit/translate.ts';
import classes from './migration.module.css';
import { canOpen, isDone, type Report, type Step, steps } from './stage.ts';

/** The five steps: the current one, and those that can be opened. */
export function StepList({ report, step, onStep }: { report: Report; step: Step; onStep: (to: Step) => void }) {
  return (
    <nav aria-label={t('Steps of the migration')}>
      <ol className={classes.steps}>
        {steps.map(({ key, title }, index) => {
          const isFinished = isDone(key, report);
          return (
            <li key={key}>
              <button
                type="button"
                className={classes.step}
                aria-current={key === step ? 'step' : undefined}
                disabled={!canOpen(key, report)}
                onClick={() => onStep(key)}
              >
                <span className={classes.number} data-done={isFinished || undefined}>
                  {isFinished ? <Check size={14} aria-hidden="true" /> : index + 1}
                </span>
                {title}
                {isFinished && <span className="visually-hidden"> {t('(done)')}</span>}
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
