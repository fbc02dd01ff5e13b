import { describe, expect, it } from 'vitest';
import { traceparentFromXRay } from '../../../functions/adapters/traceparent.ts';

describe('traceparentFromXRay', () => {
  it.each([
    [
      'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1',
      '00-5759e988bd862e3fe1be46a994272793-53995c3f42cd8ad8-01',
    ],
    [
      'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=0;Lineage=1:a87bd80c:0',
      '00-5759e988bd862e3fe1be46a994272793-53995c3f42cd8ad8-00',
    ],
    [
      'Self=1-11111111-222222222222222222222222; Sampled=1; Parent=53995C3F42CD8AD8; Root=1-5759E988-BD862E3FE1BE46A994272793',
      '00-5759e988bd862e3fe1be46a994272793-53995c3f42cd8ad8-01',
    ],
  ])('converts %s', (header, expected) => {
    expect(traceparentFromXRay(header)).toBe(expected);
  });

  it.each([
    undefined,
    '',
    'nonsense',
    'Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=1',
    'Parent=53995c3f42cd8ad8;Sampled=1',
    'Root=1-5759e988-short;Parent=53995c3f42cd8ad8;Sampled=1',
    'Root=1-5759e988-bd862e3fe1be46a994272793ff;Parent=53995c3f42cd8ad8',
    'Root=1-00000000-000000000000000000000000;Parent=53995c3f42cd8ad8;Sampled=1',
    'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=0000000000000000;Sampled=1',
  ])('has nothing to say for %s', (header) => {
    expect(traceparentFromXRay(header)).toBeNull();
  });
});
