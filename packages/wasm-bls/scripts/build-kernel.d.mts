export function overlay(blst: { readonly folder: string; readonly version: string }): unknown;
