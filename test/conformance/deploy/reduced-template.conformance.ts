import { describe, expect, it } from 'vitest';
import { endpointLimits } from './endpoint-limits.ts';
import { notRehearsed } from './not-rehearsed.ts';
import { reducedTemplate, type Template } from './reduced-template.ts';

const CREATABLE = new Set([
  'AWS::Events::Rule',
  'AWS::Lambda::Function',
  'AWS::Lambda::Permission',
  'AWS::SQS::Queue',
]);

const at = (path: string) => ({ 'aws:cdk:path': `stack/${path}/Resource` });

const TEMPLATE: Template = {
  Resources: {
    Api: { Type: 'AWS::ApiGatewayV2::Api', Metadata: at('Http/Api') },
    Take: { Type: 'AWS::Lambda::Function', DependsOn: ['Api', 'Queue'], Metadata: at('Take') },
    Allow: {
      Type: 'AWS::Lambda::Permission',
      Metadata: at('Allow'),
      Properties: {
        FunctionName: { 'Fn::GetAtt': ['Take', 'Arn'] },
        SourceArn: { 'Fn::Join': ['', ['arn:', { Ref: 'Api' }]] },
      },
    },
    AfterAllow: {
      Type: 'AWS::SQS::Queue',
      Metadata: at('After allow'),
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is CloudFormation that fills this in
      Properties: { Name: { 'Fn::Sub': 'x-${Allow.Id}' } },
    },
    Queue: { Type: 'AWS::SQS::Queue', Metadata: at('Queue') },
    Told: {
      Type: 'AWS::Events::Rule',
      Metadata: at('Told'),
      Properties: { Targets: [{ Arn: { 'Fn::GetAtt': ['Queue', 'Arn'] } }] },
    },
    Called: {
      Type: 'AWS::Events::Rule',
      Metadata: at('Called'),
      Properties: { Targets: [{ Arn: { 'Fn::GetAtt': ['Take', 'Arn'] } }] },
    },
    Timed: {
      Type: 'AWS::Events::Rule',
      Metadata: at('Timed'),
      Properties: {
        ScheduleExpression: 'rate(5 minutes)',
        Targets: [{ Arn: { 'Fn::GetAtt': ['Take', 'Arn'] } }],
      },
    },
  },
  Outputs: {
    Url: { Value: { 'Fn::GetAtt': ['Api', 'ApiEndpoint'] } },
    QueueUrl: { Value: { Ref: 'Queue' } },
  },
};

const reduced = reducedTemplate(TEMPLATE, endpointLimits(CREATABLE));

describe('a template without what the endpoint cannot do', () => {
  it('keeps everything else, which waits no more for what is gone', () => {
    expect(Object.keys(reduced.template.Resources)).toEqual(['Take', 'Queue', 'Told']);
    expect(reduced.template.Resources.Take?.DependsOn).toEqual(['Queue']);
    expect(reduced.template.Outputs).toEqual({ QueueUrl: { Value: { Ref: 'Queue' } } });
  });

  it('comes with a reason for each thing that was taken out', () => {
    expect(reduced.takenOut).toEqual([
      { type: 'AWS::ApiGatewayV2::Api', name: 'Http/Api', why: 'this endpoint cannot create it' },
      { type: 'AWS::Lambda::Permission', name: 'Allow', why: 'it refers to Http/Api' },
      { type: 'AWS::SQS::Queue', name: 'After allow', why: 'it refers to Allow' },
      {
        type: 'AWS::Events::Rule',
        name: 'Called',
        why: 'its events are not delivered here, so that none starts Take',
      },
      {
        type: 'AWS::Events::Rule',
        name: 'Timed',
        why: 'its time never comes here, so that nothing starts Take',
      },
      { type: 'Output', name: 'Url', why: 'it refers to Http/Api' },
    ]);
  });

  it('is told by name and by type, and a type that nobody has looked up is told so', () => {
    const deployed: Template = {
      Resources: { ...reduced.template.Resources, New: { Type: 'AWS::New::One' } },
    };
    const lines = notRehearsed({
      takenOut: reduced.takenOut,
      deployed,
      passedOver: ['AWS::S3::BucketPolicy'],
    });

    expect(lines).toContain('  1 AWS::ApiGatewayV2::Api, because this endpoint cannot create it: Http/Api');
    expect(lines).toContain('  1 Output, because it refers to Http/Api: Url');
    expect(lines).toContain('  1 AWS::New::One: created; what this endpoint does with it is not known');
    expect(lines.filter((line) => line.includes('S3'))).toEqual([
      '  AWS::S3::BucketPolicy of the bootstrap stack, which this endpoint passed over.',
    ]);
  });
});
