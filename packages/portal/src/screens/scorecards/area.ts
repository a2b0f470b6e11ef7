import { Award } from 'lucide-react';
import { area } from '../../frame/area.ts';
import { t } from '../../kit/translate.ts';

const builds = ({ roles }: { readonly roles: readonly string[] }) => roles.some((role) => role !== 'Member');
const scorecards = { label: t('Scorecards'), to: '/builder/scorecards', icon: Award, order: 12 } as const;

export default area({
  destinations: [
    { ...scorecards, where: 'builder', section: 'Model', isFor: builds },
    // who builds nothing has no builder, and reads scorecards beside the catalog
    { ...scorecards, where: 'catalog', isFor: (session) => !builds(session) },
  ],
});
