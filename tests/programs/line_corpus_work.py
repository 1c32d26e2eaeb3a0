import io
def run():
    ns={}
    src=open('/tmp/lt/proto_work.txt').read()
    i=src.index('def workload():'); j=src.index('workload(); r0')
    g={'io':io}
    exec(compile(src[i:j],'w','exec'),g)
    return [repr(x) for x in g['workload']()]
