/** Resend's times: `2023-04-03 22:13:42.674981+00`, microseconds and a bare hour offset (resend-openapi, `Email.created_at`). */
export function resendTime(at: number): string {
  return `${new Date(at).toISOString().replace('T', ' ').replace('Z', '')}000+00`;
}
