import { Link } from '@tanstack/react-router';
import { t } from '../../kit/translate.ts';
import classes from './scorecards.module.css';

/** Scorecards and their campaigns, two lists beside each other. */
export function ScorecardTabs() {
  return (
    <nav className={classes.tabs} aria-label={t('Scorecards and campaigns')}>
      <Link to="/builder/scorecards" activeOptions={{ includeSearch: false }}>
        {t('Scorecards')}
      </Link>
      <Link to="/builder/campaigns" activeOptions={{ includeSearch: false }}>
        {t('Campaigns')}
      </Link>
    </nav>
  );
}
