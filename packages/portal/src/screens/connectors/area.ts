import { Plug } from 'lucide-react';
import { area } from '../../frame/area.ts';

const isFor = ({ roles }: { readonly roles: readonly string[] }) => roles.includes('Admin');

export default area({
  destinations: [
    { label: 'Connectors', to: '/builder/connectors', icon: Plug, where: 'builder', section: 'Data', order: 73, isFor },
  ],
});
