
;(function () {
  const touchstoneProcess: any = (globalThis as any).process;
  const fs: any = touchstoneProcess.getBuiltinModule ? touchstoneProcess.getBuiltinModule("fs") : touchstoneProcess.mainModule.require("fs");
  const Buffer: any = (globalThis as any).Buffer;
@BODY@
})();
