/// Apple's Combine as OpenCombine has it, with the schedulers of Dispatch and Foundation.
@_exported import OpenCombine
@_exported import OpenCombineDispatch
@_exported import OpenCombineFoundation
