export { createConnectors } from './connectors.module.ts';
