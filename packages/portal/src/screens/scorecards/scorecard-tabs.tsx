import { Link } from '@tanstack/react-router';
import classes from './scorecards.module.css';

/** Scorecards and their campaigns, two lists beside each other. */
export function ScorecardTabs() {
  return (
    <nav className={classes.tabs} aria-label="Scorecards and campaigns">
      <Link to="/builder/scorecards" activeOptions={{ includeSearch: false }}>
        Scorecards
      </Link>
      <Link to="/builder/campaigns" activeOptions={{ includeSearch: false }}>
        Campaigns
      </Link>
    </nav>
  );
}
