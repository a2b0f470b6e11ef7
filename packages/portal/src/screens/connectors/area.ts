import { Plug } from 'lucide-react';
import { area } from '../../frame/area.ts';
import { t } from '../../kit/translate.ts';

const isFor = ({ roles }: { readonly roles: readonly string[] }) => roles.includes('Admin');

export default area({
  destinations: [
    {
      label: t('Connectors'),
      to: '/builder/connectors',
      icon: Plug,
      where: 'builder',
      section: 'Data',
      order: 73,
      isFor,
    },
  ],
});
