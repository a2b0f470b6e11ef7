import { t } from '../../../kit/translate.ts';
import type { Fault } from '../document/faults.ts';
import classes from './workflows.module.css';

/** Faults in words, each with its place. */
export function FaultList({ faults, onGo }: { faults: readonly Fault[]; onGo?: (fault: Fault) => void }) {
  const [wrong, warned] = [faults.filter((each) => !each.isWarning), faults.filter((each) => each.isWarning)];
  const line = (fault: Fault) => (
    <li key={`${fault.path} ${fault.message}`}>
      {fault.path && <code>{fault.path}</code>} <span dir="auto">{fault.message}</span>{' '}
      {onGo && (
        <button type="button" className={classes.path} onClick={() => onGo(fault)}>
          {t('Show')}
        </button>
      )}
    </li>
  );
  return (
    <>
      {wrong.length > 0 && (
        <ul className={classes.faults} aria-label={t('What is wrong')}>
          {wrong.map(line)}
        </ul>
      )}
      {warned.length > 0 && (
        <ul className={classes.warnings} aria-label={t('What may be wrong')}>
          {warned.map(line)}
        </ul>
      )}
    </>
  );
}
