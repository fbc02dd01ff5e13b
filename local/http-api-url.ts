/** Where the HTTP APIs are served on the endpoint; AWS gives each a host name of its own. */
export const HTTP_APIS_PATH = '/_apigateway/';

/** The address of an HTTP API, without a slash at its end. */
export function httpApiUrl(endpoint: string, apiId: string): string {
  return `${endpoint}${HTTP_APIS_PATH}${encodeURIComponent(apiId)}`;
}
