export { createConnectors } from './connectors.module.ts';
export { connectorSealedColumns } from './open-peer.ts';
