import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { AccessLogField, AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { HttpApi, HttpMethod, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { Stage } from '../../functions/domain/stage-numbers.ts';

/** Requests per second, and how many at once, of all senders together. Form tools send far fewer; volumes come by the queue. */
const THROTTLE = { rateLimit: 50, burstLimit: 100 };

/**
 * What is logged of a request. Its address, sender and headers are left out: what people put into an address is not known, and the
 * address of a sender is personal data. https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-logging-variables.html
 */
const LOGGED = {
  requestId: AccessLogField.contextRequestId(),
  time: AccessLogField.contextRequestTime(),
  route: AccessLogField.contextRouteKey(),
  status: AccessLogField.contextStatus(),
  responseBytes: AccessLogField.contextResponseLength(),
  responseMs: AccessLogField.contextResponseLatency(),
  integrationStatus: AccessLogField.contextIntegrationStatus(),
  integrationMs: AccessLogField.contextIntegrationLatency(),
};

export interface LeadApiProps {
  readonly stage: Stage;
  readonly fromHttp: IFunction;
}

/** `POST /routes/{route}/leads` for producers that send webhooks. The function behind it checks their signatures. */
export class LeadApi extends Construct {
  readonly api: HttpApi;

  constructor(scope: Construct, id: string, props: LeadApiProps) {
    super(scope, id);
    const { stage, fromHttp } = props;
    const name = `lead-handoff-${stage}-leads`;
    this.api = new HttpApi(this, 'Api', {
      apiName: name,
      description: `Takes signed lead requests for lead-handoff-${stage}.`,
      createDefaultStage: false,
    });
    const [route] = this.api.addRoutes({
      path: '/routes/{route}/leads',
      methods: [HttpMethod.POST],
      integration: new HttpLambdaIntegration('From HTTP', fromHttp),
    });
    new HttpStage(this, 'Stage', {
      httpApi: this.api,
      autoDeploy: true,
      throttle: THROTTLE,
      accessLogSettings: {
        destination: new LogGroupLogDestination(
          new LogGroup(this, 'Logs', {
            // This prefix keeps the account's log delivery policy short, as for state machines.
            logGroupName: `/aws/vendedlogs/http-apis/${name}`,
            retention: stage === 'prod' ? RetentionDays.ONE_YEAR : RetentionDays.ONE_WEEK,
            removalPolicy: stage === 'prod' ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
          }),
        ),
        format: AccessLogFormat.custom(JSON.stringify(LOGGED)),
      },
    });
    Validations.of(route ?? this.api).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason:
        'Webhook senders know no AWS signatures and no tokens: each signs its requests with the secret of its route, ' +
        'and the function checks that before anything else (https://www.standardwebhooks.com).',
    });
  }
}
