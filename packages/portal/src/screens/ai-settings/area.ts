import { SlidersHorizontal } from 'lucide-react';
import { area } from '../../frame/area.ts';

const isFor = ({ roles }: { readonly roles: readonly string[] }) => roles.includes('Admin');

export default area({
  destinations: [
    {
      label: 'AI settings',
      to: '/builder/ai',
      icon: SlidersHorizontal,
      where: 'builder',
      section: 'Organization',
      order: 72,
      isFor,
    },
  ],
});
