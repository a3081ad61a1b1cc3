/** The version of the next release, which all client libraries share. */
export const version = "0.1.0";
